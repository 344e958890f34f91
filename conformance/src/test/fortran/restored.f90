! What restored.c does for C, for the Fortran bindings: requests that stay open for steps, wildcards, persistent ones, a
! derived type, a matched probe. history-<rank> has the hash at the beginning of each step.
program restored
  use mpi
  use iso_c_binding
  implicit none
  interface
    function usleep(micros) bind(c) result(code)
      import :: c_int
      integer(c_int), value :: micros
      integer(c_int) :: code
    end function
  end interface
  integer, parameter :: cells_count = 64
  double precision, save :: cells(cells_count), far(4)
  double precision :: x(4), y(4), s, grid(4, 4)
  integer, save :: step
  integer(8), save :: hash_value = 1
  integer :: rank, nranks, right, left, ierr, i, steps, index, row, count
  integer :: requests(2), kept(2), open_receive, status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
  logical :: flag
  character(len=32) :: argument

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  call get_command_argument(1, argument)
  read (argument, *) steps
  right = mod(rank + 1, nranks)
  left = mod(rank + nranks - 1, nranks)
  do i = 1, cells_count
    cells(i) = rank + i * 0.25d0
  end do
  call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, row, ierr)
  call MPI_Type_commit(row, ierr)
  call MPI_Recv_init(y, 4, MPI_DOUBLE_PRECISION, left, 9, MPI_COMM_WORLD, kept(1), ierr)
  call MPI_Send_init(x, 4, MPI_DOUBLE_PRECISION, right, 9, MPI_COMM_WORLD, kept(2), ierr)
  open_receive = MPI_REQUEST_NULL
  write (argument, '("history-", i0)') rank
  open (unit=10, file=trim(argument), status='replace')
  do step = 0, steps - 1
    write (10, '(i0)') hash_value
    flush (10)
    ierr = usleep(int(1500, c_int))
    x = [cells(1 + mod(step, cells_count)), dble(step), dble(rank), 1.5d0]
    if (mod(step, 5) == 0) then
      call MPI_Irecv(far, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, open_receive, ierr)
    else if (mod(step, 5) == 2) then
      call MPI_Send(x, 4, MPI_DOUBLE_PRECISION, left, 77, MPI_COMM_WORLD, ierr)
    else if (mod(step, 5) == 4) then
      call MPI_Wait(open_receive, status, ierr)
      cells(1 + mod(step * 3, cells_count)) = far(1) + status(MPI_SOURCE)
    end if
    select case (mod(step, 4))
    case (0)
      call MPI_Irecv(y, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Isend(x, 4, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(2), ierr)
      call MPI_Waitany(2, requests, index, status, ierr)
      call MPI_Waitall(2, requests, statuses, ierr)
      cells(1 + mod(step * 7, cells_count)) = cells(2) + y(2) + y(3)
    case (1)
      call MPI_Startall(2, kept, ierr)
      flag = .false.
      do while (.not. flag)
        call MPI_Testall(2, kept, flag, MPI_STATUSES_IGNORE, ierr)
      end do
      cells(1 + mod(step * 11, cells_count)) = y(1) + y(3)
    case (2)
      grid = cells(3)
      call MPI_Sendrecv(grid(2, 1), 1, row, right, 3, grid(3, 1), 1, row, left, 3, MPI_COMM_WORLD, status, ierr)
      call MPI_Get_count(status, row, count, ierr)
      cells(1 + mod(step * 13, cells_count)) = grid(3, 2) + count
    case (3)
      call MPI_Isend(x, 4, MPI_DOUBLE_PRECISION, left, 5, MPI_COMM_WORLD, requests(1), ierr)
      call MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, status, ierr)
      call MPI_Recv(y, 4, MPI_DOUBLE_PRECISION, status(MPI_SOURCE), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
      call MPI_Allreduce(y, s, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
      cells(1 + mod(step * 17, cells_count)) = s * 1d-3
    end select
    do i = 1, cells_count
      hash_value = ieor(hash_value, transfer(cells(i), hash_value)) * 1099511628211_8
    end do
  end do
  close (10)
  call MPI_Finalize(ierr)
end program
